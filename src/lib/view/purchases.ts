/** One of the user's purchases, as shown on the account page. */
export interface ShownPurchase {
	readonly id: string;
	readonly product: string;
	readonly status: 'paid' | 'refunded';
	readonly boughtAt: Date;
}
