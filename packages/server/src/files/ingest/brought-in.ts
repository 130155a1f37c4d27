/** The bucket that `uploads` names for files that an operator brought in from a folder. */
export const broughtIn = 'operator';
