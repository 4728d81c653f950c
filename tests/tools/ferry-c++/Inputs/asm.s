        .text
        .globl  answer
answer:
        movl    $42, %eax
        retq
        .section .note.GNU-stack,"",@progbits
