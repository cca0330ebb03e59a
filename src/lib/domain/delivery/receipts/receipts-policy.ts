/** The numbers of counting what became of emailed codes. */
export interface ReceiptsPolicy {
	/** The period of the report, in seconds. */
	readonly period: number;
	/** Hosts with fewer codes in that period are not named. */
	readonly rareBelow: number;
	/** How long counts are kept, in seconds. */
	readonly keepFor: number;
	/** How many hosts of one hour are counted by themselves. */
	readonly mostHosts: number;
	/** How many of the last codes of a host are compared with its usual completion. */
	readonly compared: number;
	/** How far back these codes may go, in seconds. */
	readonly comparedWithin: number;
}

const hour = 3600;
const day = 24 * hour;

export const defaultReceipts: ReceiptsPolicy = {
	period: 7 * day,
	rareBelow: 50,
	keepFor: 8 * day,
	mostHosts: 200,
	compared: 30,
	comparedWithin: day
};
