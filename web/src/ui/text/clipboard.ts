/** Puts a text where it can be pasted from; false where the browser will not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Pages over plain HTTP have no clipboard, but for those of the machine itself. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden-visually';
  // Inside what has the focus: a dialog takes it back from anything outside.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  const before = document.activeElement;
  place.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
