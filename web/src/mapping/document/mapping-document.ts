/** The mapping document as edited here: the server's shape with strict types. */
export type Scalar = string | number | boolean;
export type TransformUse = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Options = {
  readonly transforms?: readonly TransformUse[];
  readonly default?: Scalar;
  readonly required?: boolean;
};

/** Exactly one of `path` … `template` is set; the server validates it. */
export type Source = Options & {
  readonly path?: string;
  readonly root?: boolean;
  readonly header?: string;
  readonly query?: string;
  readonly const?: Scalar;
  readonly first?: readonly Source[];
  readonly join?: readonly Source[];
  readonly with?: string;
  readonly parts?: boolean;
  readonly template?: string;
};

type Fields = Readonly<Record<string, Source>>;

export type Document = {
  readonly split?: string;
  readonly filter?: string;
  readonly removal?: string;
  readonly eventId?: Source;
  readonly eventType?: Source;
  readonly eventDate?: Source;
  readonly contact?: {
    readonly externalId?: Source;
    readonly name?: Source;
    readonly phone?: Source;
    readonly email?: Source;
    readonly document?: Source;
    readonly fields?: Fields;
    readonly former?: Fields;
  };
  readonly message?: { readonly text?: Source };
  readonly context?: {
    readonly origin?: Source;
    readonly campaign?: Source;
    readonly labels?: readonly Source[];
    readonly sector?: Source;
    readonly fields?: Fields;
  };
};
