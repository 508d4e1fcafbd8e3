//! The terminal: the loop, the modes, the keys and the threads behind them.

mod keys;
