// What breaks an invariant.
export type Breach = { readonly what: string; readonly eventId?: string; readonly nonce?: string };
