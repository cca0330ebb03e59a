import { openMailer as open } from '../open-mailer.ts';
import { announce } from './sent-mails.ts';

export * from '../open-mailer.ts';

/** The usual mailer, which also reports each email to the development server. */
export const openMailer: typeof open = (setting, tools) =>
	open(setting, { ...tools, watch: (mail, delivery) => announce({ mail, delivery }) });
