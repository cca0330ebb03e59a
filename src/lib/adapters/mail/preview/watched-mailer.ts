import { openMailer as open } from '../open-mailer.ts';
import { announce } from './sent-mails.ts';

export * from '../open-mailer.ts';

/** The usual mailer, which also tells the development server what it was given. */
export const openMailer: typeof open = (setting, log) => {
	const mailer = open(setting, log);
	return {
		send: async (mail) => {
			const delivery = await mailer.send(mail);
			announce({ mail, delivery });
			return delivery;
		},
		close: mailer.close
	};
};
