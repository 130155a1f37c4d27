declare const brand: unique symbol;

/** A branded `Base`: only the parser of the brand creates values of this type. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
