interface PagerProps {
  title: string;
  /** What is shown: `1–25 of 5,000`. */
  text: string;
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

export const Pager = ({ title, text, page, pages, onChange }: PagerProps) => (
  <nav className="pager" aria-label={`Rows of ${title}`}>
    <span aria-live="polite">{text}</span>
    <button
      type="button"
      className="button"
      disabled={page === 0}
      onClick={() => onChange(page - 1)}
    >
      Previous
    </button>
    <button
      type="button"
      className="button"
      disabled={page === pages - 1}
      onClick={() => onChange(page + 1)}
    >
      Next
    </button>
  </nav>
);
