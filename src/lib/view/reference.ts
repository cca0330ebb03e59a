/** A part of a type's name. If the page describes the type elsewhere, it refers to that schema. */
export interface TypePart {
	readonly text: string;
	readonly schema: string | null;
}

/** One property of an object, as text. */
export interface Field {
	readonly name: string;
	readonly type: readonly TypePart[];
	readonly required: boolean;
	readonly description: string;
	readonly limits: readonly string[];
}

/** The successful response of a call. */
export interface ReferenceAnswer {
	readonly status: string;
	readonly description: string;
	readonly headers: readonly Field[];
	/** Null if there is no body. */
	readonly body: {
		readonly type: readonly TypePart[];
		readonly fields: readonly Field[];
		readonly example: string;
	} | null;
}

export interface ReferenceError {
	readonly status: string;
	readonly code: string;
	readonly message: string;
	readonly meaning: string;
	readonly general: boolean;
}

export interface ReferenceOperation {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	readonly session: 'required' | 'optional' | 'unused';
	/** The parameters of the path. */
	readonly params: readonly Field[];
	readonly query: readonly Field[];
	readonly headers: readonly Field[];
	readonly body: readonly Field[];
	readonly curl: string;
	readonly answer: ReferenceAnswer;
	/** The error codes of the call. `errors` of the reference has their meanings. */
	readonly errors: readonly string[];
}

/** The operations of a group, for lists of links. */
export interface ReferenceLinks {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly operations: readonly Pick<ReferenceOperation, 'id' | 'method' | 'path' | 'summary'>[];
}
