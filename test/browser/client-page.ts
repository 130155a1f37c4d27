import { bundleClient } from '../../packages/client/test/support/bundle.js';
import { type Listening, listen } from './serve-folder.js';

export async function serveClientPage(): Promise<Listening> {
  const { files } = await bundleClient();
  return listen((request, response) => {
    const code = files.get(request.url?.slice(1) ?? '');
    const [type, body] = code === undefined ? ['text/html', page] : ['text/javascript', code];
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
  });
}

const page = `<!doctype html>
<title>Partner</title>
<script type="module">
  import * as adx from '/index.js';
  globalThis.adx = adx;
</script>`;
