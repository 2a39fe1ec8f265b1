import { contextBridge, ipcRenderer, IpcRendererEvent } from 'electron';

type Listener = (text: string) => void;

contextBridge.exposeInMainWorld('desk', {
  openNote: (id: number) => ipcRenderer.invoke('note:open', Number(id)),
  onNotice: (listener: Listener) => {
    ipcRenderer.on('notice', (_event: IpcRendererEvent, text: string) => listener(String(text)));
  },
  version: () => process.versions.electron,
});
