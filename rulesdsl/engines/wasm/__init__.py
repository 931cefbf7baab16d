"""The machine as WebAssembly: many games at once, and states that others step."""
