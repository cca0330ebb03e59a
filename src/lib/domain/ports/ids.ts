/** Creates primary keys. */
export interface Ids {
	/** A UUID, version 7: later ones sort after earlier ones. */
	next(): string;
}
