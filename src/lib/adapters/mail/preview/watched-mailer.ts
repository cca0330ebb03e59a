import { openMailer as open } from '../open-mailer.ts';
import { announce } from './sent-mails.ts';

export * from '../open-mailer.ts';

/** The usual mailer, which also tells the development server what it was given. */
export const openMailer: typeof open = (setting, tools) =>
	open(setting, { ...tools, watch: (mail, delivery) => announce({ mail, delivery }) });
