declare const brand: unique symbol;

/** A primitive that only its own constructor can make, so that unchecked values do not compile. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
