import type { AuthPolicy } from '../policy.ts';
import { whole } from './budget.ts';

const MINUTE = 60_000;

/** The minute by the clock in which a check by ticket counts. */
export const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);

export const nextMinute = (now: Date): Date => new Date(minuteOf(now).getTime() + MINUTE);

/** Checks by ticket in a minute, over all networks. */
export const checkTicketsOf = ({ guessing }: Pick<AuthPolicy, 'guessing'>): number =>
	Math.max(1, whole(guessing.proofAbove * guessing.ticketShare));
