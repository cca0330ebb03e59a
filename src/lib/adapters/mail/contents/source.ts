import { isIP } from 'node:net';
import type { Device } from '#lib/domain/index.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import type { Messages } from '#lib/messages/messages.ts';

/**
 * The device and address of a request, such as `Chrome on Windows, 203.0.113.7`. Neither part may
 * contain text that the requester chose, and an IPv6 zone (`fe80::1%words`) could.
 */
export const sourceText = (
	{ mail, device: words }: Messages,
	{ userAgent, ipAddress }: Device
): string => {
	const device = describeDevice(userAgent, words);
	const known = isIP(ipAddress) !== 0 && !ipAddress.includes('%');
	return known ? mail.source(device, ipAddress) : device;
};

/** When and from where the email was requested. */
export const requestText = (
	messages: Messages,
	{ at, device }: { readonly at: Date; readonly device: Device }
): string => messages.mail.requested(messages.mail.moment(at), sourceText(messages, device));
