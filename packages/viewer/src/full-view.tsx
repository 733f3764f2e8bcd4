import {
  createContext,
  useContext,
  useState,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from 'react';

type Height = number | undefined;

/** The height of a tile in its full view, in CSS pixels; `undefined` on the page. */
export const FullHeight = createContext<Height>(undefined);

export type ChangeHeight = Dispatch<SetStateAction<Height>>;

/** Changes the height. The code of the tile's menu calls it. */
export const SetFullHeight = createContext<ChangeHeight>(() => {});

/** Tells the parts of one tile how high its full view is. */
export function FullView({ children }: { children: ReactNode }) {
  const [height, setHeight] = useState<Height>();
  return (
    <FullHeight.Provider value={height}>
      <SetFullHeight.Provider value={setHeight}>{children}</SetFullHeight.Provider>
    </FullHeight.Provider>
  );
}

export const useFullHeight = () => useContext(FullHeight);
