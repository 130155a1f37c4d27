import { createClient } from '@adx/client';

const { ADX_URL = '', ADX_API_KEY = '', ADX_USERNAME = '', ADX_PASSWORD = '' } = process.env;
const client = createClient({
  baseUrl: ADX_URL,
  apiKey: ADX_API_KEY,
  username: ADX_USERNAME,
  password: ADX_PASSWORD,
});

const content = new Blob(['This is not a statement.']);
const upload = await client.codaFiles.upload(content, 'statement.cod');
const { status, files, findings } = await upload.outcome();
console.log(status, files.length);
for (const { severity, code, message } of findings) console.log(severity, code, message);
