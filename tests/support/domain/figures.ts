import type { Fact, HourCount } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import type { MailHost } from '#lib/domain/delivery/receipts/mail-host.ts';
import { hourOf } from '#lib/domain/limits/budget.ts';

export const google = 'google.com' as MailHost;
export const yahoo = 'yahoodns.net' as MailHost;

export const aCount = (
	since: Date,
	host: MailHost = google,
	fact: Fact = 'sent',
	count = 1
): HourCount => ({ since: hourOf(since), host, fact, count });

/** So many codes of an hour, and how many of them were entered within 20 seconds. */
export const codesOf = (
	since: Date,
	sent: number,
	entered: number,
	host: MailHost = google
): readonly HourCount[] => [
	aCount(since, host, 'sent', sent),
	aCount(since, host, 'within_20', entered)
];
