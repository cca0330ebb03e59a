import type { Brand } from '../../brand.ts';

/** An organisation that receives email: the registrable domain of its mail servers. */
export type MailHost = Brand<string, 'MailHost'>;

/** All hosts that are not counted by themselves. A domain has a dot, so none has this name. */
export const OTHER_HOST = 'other' as MailHost;

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/**
 * A host in the one form that is counted. Anyone can put any text into the DNS, so a text that is no
 * plain host name counts as other.
 */
export const parseMailHost = (text: string): MailHost =>
	HOST_NAME.test(text) ? (text.toLowerCase() as MailHost) : OTHER_HOST;
