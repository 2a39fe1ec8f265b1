import { contextBridge, ipcRenderer, IpcRendererEvent } from 'electron';

type Listener = (text: string) => void;

contextBridge.exposeInMainWorld('desk', {
  invoke: (channel: string, ...args: unknown[]) => ipcRenderer.invoke(channel, ...args),
  onNotice: (listener: Listener) => {
    ipcRenderer.on('notice', (_event: IpcRendererEvent, text: string) => listener(String(text)));
  },
  version: () => process.versions.electron,
});
