// The same test, with four workers and more objects.
import './killed-shares.test.js';
