/*
 * Every text that people read, in English. A file for what is shown together, so that a page loads
 * its own texts and no others.
 */
export * from './en/account.ts';
export * from './en/checkout.ts';
export * from './en/client-errors.ts';
export * from './en/every-page.ts';
export * from './en/docs.ts';
export * from './en/errors.ts';
export * from './en/home.ts';
export * from './en/mail.ts';
export * from './en/settings.ts';
export * from './en/sign-in.ts';
export * from './en/site-pages.ts';
