"""Python as machine code: `jit` compiles functions of numbers, `plain` translates ordinary classes to them."""
