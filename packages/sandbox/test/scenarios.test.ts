import { testCommandsAndRequests } from './scenarios/commands-and-requests.js';
import { testErrors } from './scenarios/errors.js';
import { testInterruptedDemo } from './scenarios/interrupted-demo.js';
import { testMandatesAndFiles } from './scenarios/mandates-and-files.js';
import { testOtherFirms } from './scenarios/other-firms.js';
import { shareSandbox } from './scenarios/scenario-sandbox.js';
import { testTime } from './scenarios/time.js';

// One file, because a sandbox with demo firms takes several seconds of CPU time to start.
shareSandbox();
testErrors();
testMandatesAndFiles();
testOtherFirms();
testInterruptedDemo();
testTime();
testCommandsAndRequests();
