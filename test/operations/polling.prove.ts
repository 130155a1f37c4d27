// The same test, with many more changes.
import './polling.test.js';
