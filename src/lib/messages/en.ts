/*
 * Every text that people read, in English, by capability. A page loads its own texts and no others.
 * Only the texts of a single email stand elsewhere: with that email, in adapters/mail/emails.
 */
export * from './en/account.ts';
export * from './en/purchases.ts';
export * from './en/client-errors.ts';
export * from './en/every-page.ts';
export * from './en/docs.ts';
export * from './en/errors.ts';
export * from './en/home.ts';
export * from './en/delivery.ts';
export * from './en/settings.ts';
export * from './en/sign-in.ts';
export * from './en/site-pages.ts';
