declare const brand: unique symbol;

/** A primitive that only its constructor function can produce. Unchecked values do not compile. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
