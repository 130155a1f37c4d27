// The same tests, with many more calls.
import './generated.test.js';
