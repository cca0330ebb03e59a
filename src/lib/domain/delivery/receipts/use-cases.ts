import type { Clock } from '../../clock.ts';
import { hourOf } from '../../limits/budget.ts';
import type { AuthPolicy } from '../../policy.ts';
import { secondsAfter } from '../../time.ts';
import type { DeliveryFigures } from './delivery-figures.ts';
import { figuresOf, withoutRareHosts, type HostFigures } from './host-figures.ts';
import { lowCompletions, type LowCompletion } from './low-completion.ts';
import { OTHER_HOST } from './mail-host.ts';

/** The figures of the period by mail host, those with the most codes first. Other hosts come last. */
export type DeliveryReport = () => Promise<readonly HostFigures[]>;

/** The hosts whose last codes were entered less than half as often as usual. */
export type LowCompletions = () => Promise<readonly LowCompletion[]>;

export interface ReceiptsDeps {
	readonly deliveryFigures: DeliveryFigures;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

const makeDeliveryReport =
	({ deliveryFigures, clock, policy: { receipts } }: ReceiptsDeps): DeliveryReport =>
	async () => {
		const now = clock.now();
		const counts = await deliveryFigures.sums(hourOf(secondsAfter(now, -receipts.period)), now);
		// An email that is not sent adds zero, so a host can have rows without codes.
		const figures = figuresOf(withoutRareHosts(counts, receipts.rareBelow)).filter(
			({ sent, refused, entered }) => sent + refused + entered > 0
		);
		const isOther = ({ host }: HostFigures): boolean => host === OTHER_HOST;
		return [...figures.filter((one) => !isOther(one)), ...figures.filter(isOther)];
	};

const makeLowCompletions =
	({ deliveryFigures, clock, policy: { receipts, code } }: ReceiptsDeps): LowCompletions =>
	async () => {
		// Only whole hours whose codes can no longer be entered.
		const until = hourOf(secondsAfter(clock.now(), -code.lifetime));
		const period = await deliveryFigures.sums(secondsAfter(until, -receipts.period), until);
		const recent = await deliveryFigures.hours(
			secondsAfter(until, -receipts.comparedWithin),
			until
		);
		return lowCompletions(recent, period, receipts);
	};

export const receipts = { deliveryReport: makeDeliveryReport, lowCompletions: makeLowCompletions };
