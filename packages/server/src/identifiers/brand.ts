declare const brand: unique symbol;

/** A `Base` that one parser has vouched for; only that parser makes values of the type. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
