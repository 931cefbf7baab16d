"""The generated engine: blocks, choices and values of a machine as Python source."""
