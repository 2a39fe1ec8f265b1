package docs.service;

public interface DocumentService {
    byte[] load(String name) throws Exception;
}
