"""Keep the pages that a build makes beside those that are written."""


def keep_pages(folder, pages):
    """Write pages by their names into a folder, where they differ, and remove all others."""
    folder.mkdir(exist_ok=True)
    files = {folder / f"{name}.rst": text for name, text in pages.items()}
    for path in {*folder.iterdir()} - {*files}:
        path.unlink()
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
