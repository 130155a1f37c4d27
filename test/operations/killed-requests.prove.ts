// The same test, with many more kills.
import './killed-requests.test.js';
