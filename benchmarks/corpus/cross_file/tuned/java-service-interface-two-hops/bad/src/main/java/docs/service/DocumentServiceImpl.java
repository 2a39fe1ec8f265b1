package docs.service;

import docs.storage.DiskStorage;
import org.springframework.stereotype.Service;

@Service
public class DocumentServiceImpl implements DocumentService {
    private final DiskStorage storage;

    public DocumentServiceImpl(DiskStorage storage) {
        this.storage = storage;
    }

    @Override
    public byte[] load(String name) throws Exception {
        return storage.read(name);
    }
}
