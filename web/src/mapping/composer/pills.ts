/** Shows the tags of a template as pills, which the caret crosses in one step. */
import { EditorState, type Extension, type Text } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { tagsIn, unpairedTags, type Tag } from '../document/template.ts';

type PillNames = {
  /** The text of a pill. */
  readonly nameOf: (tag: Tag) => string;
  readonly className: (kind: Tag['kind']) => string;
};

class Pill extends WidgetType {
  private readonly tag: Tag;
  private readonly names: PillNames;

  constructor(tag: Tag, names: PillNames) {
    super();
    this.tag = tag;
    this.names = names;
  }

  override eq(other: Pill): boolean {
    return other.tag.kind === this.tag.kind && other.tag.path === this.tag.path;
  }

  override toDOM(): HTMLElement {
    const pill = document.createElement('span');
    pill.className = this.names.className(this.tag.kind);
    pill.textContent = this.names.nameOf(this.tag);
    if (this.tag.path !== '') pill.title = this.tag.path;
    return pill;
  }
}

function showPills(names: PillNames): Extension {
  const matcher = new MatchDecorator({
    regexp: /\{\{[^\n]*?\}\}/g,
    decoration: ([whole]) => {
      const [tag] = tagsIn(whole);
      return tag ? Decoration.replace({ widget: new Pill(tag, names) }) : null;
    },
  });
  return ViewPlugin.define(
    (view) => ({
      pills: matcher.createDeco(view),
      update(change: ViewUpdate) {
        this.pills = matcher.updateDeco(change, this.pills);
      },
    }),
    {
      decorations: ({ pills }) => pills,
      provide: (plugin) =>
        EditorView.atomicRanges.of(
          (view): DecorationSet => view.plugin(plugin)?.pills ?? Decoration.none,
        ),
    },
  );
}

const isPaired = (text: Text): boolean => unpairedTags(text.toString()).length === 0;

/** When one of two block tags is deleted, so is the other. */
const deletePartners = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.isUserEvent('delete') || !isPaired(transaction.startState.doc)) {
    return transaction;
  }
  const left = unpairedTags(transaction.newDoc.toString());
  if (left.length === 0) return transaction;
  const changes = left.map(({ from, to }) => ({ from, to }));
  return [transaction, { changes, sequential: true }];
});

export const pills = (names: PillNames): Extension => [showPills(names), deletePartners];
