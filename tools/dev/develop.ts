import { setTimeout as sleep } from 'node:timers/promises';
import { readGeneratedCode } from './generated-code.js';
import { buildSandbox, checkTypes, generate, stateOf } from './run-checks.js';
import { type Facts, type SandboxProcess, startSandboxProcess } from './sandbox-process.js';
import type { Screen, State } from './screen.js';
import { watchSources } from './watch-sources.js';

interface DevelopOptions {
  /** The absolute path of the repository. */
  readonly root: string;
  /** The absolute path of the folder with the data of the sandbox. */
  readonly dataDir: string;
  /** The parameters of `adx-sandbox start`. */
  readonly parameters: readonly string[];
  readonly screen: Screen;
}

/** Saving is finished after this many milliseconds without a further change. */
const quietMs = 50;

/**
 * Generates, type-checks and restarts the sandbox after each change of the spec or of code. The
 * sandbox is restarted only if both are without mistakes. One that has ended is started again after
 * any change. A change of prose in the spec concerns neither.
 *
 * A change makes the steps that it concerns due. They are run one at a time, the first that is due
 * first, so that a change during a run is never lost.
 */
export async function develop(
  { root, dataDir, parameters, screen }: DevelopOptions,
  signal: AbortSignal,
): Promise<void> {
  const due = { spec: true, types: true, sandbox: true };
  const isClean = { spec: false, types: false };
  let sandbox: SandboxProcess | undefined;
  let running: State | undefined;
  let generatedCode: string | undefined;
  let changes = 0;
  let wake = () => {};

  await watchSources(root, dataDir, signal, (path) => {
    // Codegen has written it, and `checkSpec` compares what it means.
    if (path.includes('.gen.')) return;
    due.spec ||= /^codegen\/|\.(ya?ml|json)$/.test(path);
    due.types ||= /\.(tsx?|json)$/.test(path);
    due.sandbox ||= sandbox === undefined || /^packages\/[^/]+\/src\//.test(path);
    changes += 1;
    wake();
  });
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });

  screen.show('sandbox', { text: 'starts after the checks' });
  try {
    for (;;) {
      await untilQuiet();
      if (signal.aborted) return;
      if (due.spec) await checkSpec();
      else if (due.types) await checkCode();
      else if (due.sandbox && isClean.spec && isClean.types) await restart();
      else await Promise.race([aborted, changed()]);
    }
  } finally {
    if (sandbox !== undefined) {
      screen.show('sandbox', { text: 'stopping' });
      await sandbox.stop();
      screen.show('sandbox', { text: 'stopped' });
    }
  }

  function changed(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  async function untilQuiet(): Promise<void> {
    let before: number;
    do {
      before = changes;
      await sleep(quietMs);
    } while (changes !== before && !signal.aborted);
  }

  async function checkSpec(): Promise<void> {
    due.spec = false;
    screen.show('spec', { text: 'checking' });
    const checked = await generate(root, signal);
    if (signal.aborted) return;
    isClean.spec = checked.mistakes.length === 0;
    screen.show('spec', isClean.spec ? { text: 'ok' } : stateOf(checked));
    screen.show('generated', { text: isClean.spec ? checked.summary : 'not changed' });
    showRunning();
    // Codegen has written nothing, perhaps beside files with conflicts of a merge.
    if (!isClean.spec) return;
    const code = await readGeneratedCode(root);
    if (code === generatedCode) return;
    generatedCode = code;
    due.types = true;
    due.sandbox = true;
  }

  async function checkCode(): Promise<void> {
    due.types = false;
    screen.show('types', { text: 'checking' });
    const checked = await checkTypes(root, signal);
    if (signal.aborted) return;
    isClean.types = checked.mistakes.length === 0;
    screen.show('types', stateOf(checked));
    showRunning();
  }

  function showRunning(): void {
    if (running === undefined) return;
    const isOld = !isClean.spec || !isClean.types;
    const text = isOld ? `${running.text}, as it was before the mistakes` : running.text;
    screen.show('sandbox', { ...running, text });
  }

  async function restart(): Promise<void> {
    due.sandbox = false;
    screen.show('sandbox', { text: 'starting' });
    const previous = sandbox;
    sandbox = undefined;
    running = undefined;
    const [built] = await Promise.all([buildSandbox(root, signal), previous?.stop()]);
    if (signal.aborted) return;
    if (built.mistakes.length > 0) {
      screen.show('sandbox', stateOf(built));
      return;
    }
    const started = startSandboxProcess(parameters);
    sandbox = started;
    const show = started.ready.then(
      (facts) => {
        running = stateOfRunning(facts);
        showRunning();
      },
      () => {},
    );
    started.ended.then((reason) => {
      if (sandbox !== started || signal.aborted) return;
      sandbox = undefined;
      running = undefined;
      screen.show('sandbox', stateOf({ mistakes: [reason], summary: '' }));
    });
    await Promise.race([show, aborted]);
  }
}

function stateOfRunning({ url, log, apiKey, login, password }: Facts) {
  const demo =
    apiKey === undefined ? [] : [`API key    ${apiKey}`, `Login      ${login}  ${password}`];
  return { text: `running at ${url}/v1`, notes: [...demo, `Log        ${log}`] };
}
