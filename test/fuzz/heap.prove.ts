// The same tests, with many more calls.
import './heap.test.js';
