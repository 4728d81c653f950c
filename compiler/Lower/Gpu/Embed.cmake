# cmake -DIN=file -DOUT=file.inc -P Embed.cmake: a file's bytes as the contents
# of a C array.
file(READ ${IN} Bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," Bytes "${Bytes}")
file(WRITE ${OUT} "${Bytes}\n")
