export { explainFileError } from '@adx/command/file-error';
