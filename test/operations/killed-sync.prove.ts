// The same test, with many more kills.
import './killed-sync.test.js';
