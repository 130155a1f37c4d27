// The same test, with many more kills.
import './killed.test.js';
