/** The outcome of a change that a state may forbid: the value, or the reason why nothing happened. */
export type Failure<Reason extends string = string> = {
  readonly ok: false;
  readonly reason: Reason;
};
type Success<Value> = { readonly ok: true; readonly value: Value };
export type Result<Value, Failed extends Failure> = Success<Value> | Failed;

export const success = <Value>(value: Value): Success<Value> => ({ ok: true, value });

export const failure = <Reason extends string>(reason: Reason): Failure<Reason> => ({
  ok: false,
  reason,
});
