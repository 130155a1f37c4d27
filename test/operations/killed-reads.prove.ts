// The same test, with many more kills.
import './killed-reads.test.js';
