#!/usr/bin/env python3
"""Runs a script in a page, in a headless browser, and prints what it reports.

    run-page.py CHROMIUM PAGE.html SCRIPT.js DIRECTORY

The script runs after the page's own and pushes lines to `report`. The browser's
profile is made in DIRECTORY, and the page's copy with the script in it. Prints first
"errors: none", or the errors that were thrown and the reports of blocked content.
"""

import html
import os
import re
import subprocess
import sys

BEFORE = """<script>
const report = [], errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("securitypolicyviolation", event => errors.push("blocked: " + event.blockedURI));
</script>"""
AFTER = """<script>
try {
%s
} catch (error) {
  errors.push(error.stack);
}
const result = document.createElement("pre");
result.id = "report-of-the-test";
result.textContent = ["errors: " + (errors.join("; ") || "none"), ...report].join("\\n");
document.body.append(result);
</script>"""


def main():
    browser, page, script, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(script, encoding="utf-8") as file:
        text = text.replace("<style>", BEFORE + "<style>", 1) + AFTER % file.read()
    copy = os.path.join(directory, "page.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text)
    # In containers there is neither a sandbox to be had nor a large /dev/shm.
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--window-size=1200,800", f"--user-data-dir={directory}/profile", "--dump-dom",
               "file://" + os.path.abspath(copy)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120,
                            env=dict(os.environ, HOME=directory))
    found = re.search(r'<pre id="report-of-the-test">(.*?)</pre>', result.stdout, re.DOTALL)
    if not found:
        sys.exit(f"run-page.py: no report; exit status {result.returncode}\n{result.stderr}")
    print(html.unescape(found[1]))


if __name__ == "__main__":
    main()
