import { isIP } from 'node:net';
import wellKnown from 'nodemailer/lib/well-known';
import { services } from 'nodemailer/lib/well-known/services.js';
import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked, type Findings } from './checked.ts';
import { closeNames } from './close-names.ts';
import { parsePort } from './values.ts';

export interface MailServer {
	/** The provider as the operator named it. Null for any other server. */
	readonly service: string | null;
	readonly host: string;
	readonly port: number;
	/** TLS from the first byte. Otherwise STARTTLS. */
	readonly implicitTls: boolean;
}

/** Some providers offer 2465 for networks that block 465. */
const IMPLICIT_TLS_PORTS = [465, 2465];
const NO_SERVER: MailServer = { service: null, host: '', port: 0, implicitTls: false };

/** Reads a provider's name or a server's host name. */
export const readServer = ({ value, note }: Findings): MailServer => {
	const host = value('EMAIL_HOST');
	const wanted = value('EMAIL_PORT');
	const port = wanted === undefined ? null : note('EMAIL_PORT', parsePort(wanted), 0);
	if (host === undefined) {
		const service = note('EMAIL_SERVICE', parseService(value('EMAIL_SERVICE')), NO_SERVER);
		if (port === null) return service;
		return { ...service, port, implicitTls: IMPLICIT_TLS_PORTS.includes(port) };
	}
	if (value('EMAIL_SERVICE') !== undefined) {
		note(
			'EMAIL_SERVICE',
			refuse('EMAIL_HOST also names a mail server', 'Remove one of the two'),
			null
		);
	}
	return {
		service: null,
		host: note('EMAIL_HOST', parseHost(host), ''),
		port: port ?? 587,
		implicitTls: IMPLICIT_TLS_PORTS.includes(port ?? 587)
	};
};

const parseService = (name = 'Resend'): Checked<MailServer> => {
	const known = wellKnown(name);
	if (typeof known !== 'object') {
		const close = closeNames(name, Object.keys(services));
		return refuse(
			`"${name}" is not a known mail service`,
			`${close.length > 0 ? `Did you mean ${close.join(', ')}?` : 'Known services include Resend, Postmark, SES-EU-WEST-1, SendGrid and Mailgun.'} For other services, set EMAIL_HOST instead`
		);
	}
	return ok({
		service: name,
		host: known.host ?? 'localhost',
		port: Number(known.port ?? 587),
		implicitTls: known.secure === true
	});
};

const parseHost = (value: string): Checked<string> =>
	isIP(value) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value)
		? ok(value)
		: refuse(
				`"${value}" is not a host name`,
				'Write only the name, such as mail.example.org. Set the port in EMAIL_PORT'
			);

const isThisMachine = (host: string): boolean =>
	/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);

/** Plain SMTP is allowed only to a server on this machine, without a network in between. */
export const checkPlain = (host: string): Checked<null> =>
	isThisMachine(host)
		? ok(null)
		: refuse(
				`the key and all codes would be sent unencrypted over the network to ${host}`,
				'Remove it. It is only for a mail server on this machine (EMAIL_HOST=127.0.0.1)'
			);
