/*
 * Every text that people read, in English. A file for what is shown together, so that a page loads
 * its own texts and no others.
 */
export * from './account.ts';
export * from './checkout.ts';
export * from './common.ts';
export * from './docs.ts';
export * from './errors.ts';
export * from './home.ts';
export * from './mail.ts';
export * from './settings.ts';
export * from './sign-in.ts';
export * from './site-pages.ts';
